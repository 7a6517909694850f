# Children, pipes, alarms and eval in Perl.
use strict;
use warnings;
use Time::HiRes qw(alarm);
$| = 1;
my $sum = 0;
for my $i (1 .. 10) {
    my $pid = fork();
    if ($pid == 0) { my $x = 0; $x += $_ for 1 .. 50000; exit($i) }
    waitpid($pid, 0);
    $sum += $? >> 8;
}
my $lines = `seq 1 1000 | wc -l`;
my $rung = 0;
eval {
    local $SIG{ALRM} = sub { die "rung\n" };
    alarm 0.3;
    my $x = 0;
    $x += $_ % 7 while 1 and $_ = ++$x;
};
$rung = 1 if $@ eq "rung\n";
print "sum $sum, lines ", $lines + 0, ", rung $rung\n";
