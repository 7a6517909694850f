#include "runtime_shim/generations/generation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime_shim/generations/tr6.h"

namespace gomp_ompt {

ompt_start_tool_result_t* InItsGeneration(ompt_start_tool_result_t* tool) {
  const char* asked = getenv("GOMP_OMPT_GENERATION");
  if (asked == nullptr || asked[0] == '\0' || strcmp(asked, "5") == 0) return tool;
  if (strcmp(asked, "tr6") == 0) return FrontOfTr6Tool(tool);
  dprintf(STDERR_FILENO, "libgomp_ompt: GOMP_OMPT_GENERATION is \"%s\"; set it to tr6 or 5\n", asked);
  return tool;
}

}  // namespace gomp_ompt
