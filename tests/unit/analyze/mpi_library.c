// The code that samples in MPI are in: pieces of Open MPI, of a tool and of a program, by name. One file makes all
// objects, because only names matter. Labels mark the places.
#define AT(label) __asm__ volatile(#label ": nop")

void MPI_Allreduce(void) { AT(in_allreduce); }
void PMPI_Allreduce(void) { AT(in_pmpi_allreduce); }
void PMPI_Barrier(void) { AT(in_pmpi_barrier); }
void mpi_allreduce_(void) { AT(in_fortran_allreduce); }
void ompi_mpi_finalize(void) { AT(in_finalize); }
void ompi_request_default_wait(void) { AT(in_request_wait); }
void opal_progress(void) { AT(in_progress); }
void progress_engine(void) { AT(in_engine); }
void record_call(void) { AT(in_tool); }
void solve(void) { AT(in_solve); }
void sched_yield(void) { AT(in_yield); }
