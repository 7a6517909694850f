# Functions whose names are markup. The assembler takes any name in quotes.
        .text
        .globl  "</script><img src=x onerror=window.hostile=1>"
        .type   "</script><img src=x onerror=window.hostile=1>", @function
"</script><img src=x onerror=window.hostile=1>":
        .fill   64, 1, 0x90
        .size   "</script><img src=x onerror=window.hostile=1>", 64

        .globl  "'\"><svg onload=window.hostile=2>&lt;b&gt;&#60;"
        .type   "'\"><svg onload=window.hostile=2>&lt;b&gt;&#60;", @function
"'\"><svg onload=window.hostile=2>&lt;b&gt;&#60;":
        .fill   64, 1, 0x90
        .size   "'\"><svg onload=window.hostile=2>&lt;b&gt;&#60;", 64

        .globl  "${window.hostile=3}<!--<script>--!>javascript:window.hostile=3"
        .type   "${window.hostile=3}<!--<script>--!>javascript:window.hostile=3", @function
"${window.hostile=3}<!--<script>--!>javascript:window.hostile=3":
        .fill   64, 1, 0x90
        .size   "${window.hostile=3}<!--<script>--!>javascript:window.hostile=3", 64
        .section .note.GNU-stack,"",@progbits
