// In the place of otf2.cc, where OTF2's headers are not installed: CMakeLists.txt chooses.
#include "profiler/report/exports/exports.h"

namespace ompprof::report {

model::Status Otf2(const analyze::View& /*view*/, const std::string& path) {
  return model::Status(path +
                       ": ompprof was built without OTF2's headers, which this format needs. Install them "
                       "(Debian's package libopen-trace-format2-dev) and build ompprof again");
}

}  // namespace ompprof::report
