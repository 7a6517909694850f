// The code that samples of waiting threads are in: pieces of OpenBLAS and the C library by name. One file
// makes all objects, because only names matter. Labels mark the places. They are local, so a stripped object has none.
#define AT(label) __asm__ volatile(#label ": nop")

int sched_yield(void) {
  AT(in_sched_yield);
  return 0;
}
void* memcpy(void* to, const void* from, unsigned long size) {
  (void)from, (void)size;
  AT(in_memcpy);
  return to;
}
int pthread_mutex_lock(void* mutex) {
  (void)mutex;
  AT(in_mutex_lock);
  return 0;
}
int pthread_cond_wait(void* condition, void* mutex) {
  (void)condition, (void)mutex;
  AT(in_cond_wait);
  return 0;
}
int rand(void) {
  AT(in_rand);
  return 0;
}
void __lll_lock_wait_private(int* futex) {
  (void)futex;
  AT(in_lock_wait_private);
}
__attribute__((used)) static void __lll_lock_wait(void) { AT(in_lock_wait); }
__attribute__((used)) static void blas_thread_server(void) { AT(in_server); }
__attribute__((used)) static void dgemm_kernel(void) { AT(in_kernel); }
