# find_package(ompprof) gives the target ompprof::ompprof: the folder of ompprof.h. There is nothing to link.
if(NOT TARGET ompprof::ompprof)
  get_filename_component(ompprof_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
  add_library(ompprof::ompprof INTERFACE IMPORTED)
  set_target_properties(ompprof::ompprof PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${ompprof_prefix}/include")
  unset(ompprof_prefix)
endif()
