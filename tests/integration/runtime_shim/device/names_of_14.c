// Names that libgomp has since GCC 13 and 14.
void GOMP_PLUGIN_target_rev(void);
void GOMP_PLUGIN_target_rev(void) {}
#ifndef OF_13
void GOMP_target_map_indirect_ptr(void);
void GOMP_target_map_indirect_ptr(void) {}
#endif
