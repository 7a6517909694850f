#include "profiler/analyze/view/job_figures.h"

#include "profiler/model/figure_bucket.h"
#include "profiler/model/process_profile.h"

namespace ompprof::analyze {
namespace {

JobFigure FigureOf(const SpreadBatch& batch, int i, const std::vector<std::string>& texts, uint64_t all_members) {
  JobFigure figure;
  if (batch.of(i) <= static_cast<uint32_t>(FigureKind::kLock)) figure.kind = static_cast<FigureKind>(batch.of(i));
  if (batch.metric(i) <= static_cast<uint32_t>(FigureMetric::kWork))
    figure.metric = static_cast<FigureMetric>(batch.metric(i));
  figure.name = texts[batch.name(i)];
  figure.file = texts[batch.file(i)];
  figure.line = batch.line(i);
  figure.parent = batch.parent(i);
  figure.sum = batch.sum(i);
  figure.min = batch.min(i);
  figure.max = batch.max(i);
  figure.mean = all_members == 0 ? 0 : static_cast<double>(figure.sum) / static_cast<double>(all_members);
  figure.deviation = batch.deviation(i);
  figure.members = batch.members(i);
  figure.min_member = texts[batch.min_member(i)];
  figure.max_member = texts[batch.max_member(i)];
  return figure;
}

}  // namespace

std::vector<JobFigure> JobFiguresOf(const model::ProcessProfile& process, uint32_t number) {
  std::vector<JobFigure> figures;
  std::vector<std::string> texts = {""};
  for (const SpreadBatch& batch : process.spreads) {
    texts.insert(texts.end(), batch.text().begin(), batch.text().end());
    int bucket = 0;
    for (int i = 0; i < batch.of_size(); ++i) {
      JobFigure& figure = figures.emplace_back(FigureOf(batch, i, texts, process.header.unified().members()));
      figure.process = number;
      for (uint32_t left = batch.buckets(i); left > 0; --left, ++bucket)
        figure.histogram.emplace_back(model::BucketBegin(batch.bucket(bucket)), batch.bucket_members(bucket));
    }
  }
  return figures;
}

std::vector<JobMember> JobMembersOf(const model::ProcessProfile& process, uint32_t number) {
  std::vector<JobMember> members;
  for (const MemberBatch& batch : process.members) {
    for (int i = 0; i < batch.rank_size(); ++i) {
      JobMember& member = members.emplace_back();
      member.process = number;
      member.rank = batch.rank(i);
      member.host = batch.host(i);
      member.pid = batch.pid(i);
      member.threads = batch.threads(i);
      member.duration_ns = batch.duration_ns(i);
      member.cpu_ns = batch.cpu_ns(i);
      member.useful = batch.useful(i);
      member.useful_max = batch.useful_max(i);
      member.mpi = batch.mpi(i);
      member.wait_ns = batch.wait_ns(i);
      member.deviation = batch.deviation(i);
      member.reason = batch.reason(i);
      member.kept = batch.kept(i);
      if (batch.work_time_size() != 0) member.work_time = batch.work_time(i);
      if (batch.mpi_time_size() != 0) member.mpi_time = batch.mpi_time(i);
      if (batch.wait_time_size() != 0) member.wait_time = batch.wait_time(i);
    }
  }
  return members;
}

}  // namespace ompprof::analyze
