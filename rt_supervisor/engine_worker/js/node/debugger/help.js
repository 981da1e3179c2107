'use strict';
// Owns: the debugger's help texts: the usage of the command, and the list of prompt commands.

const HELP = `run, restart, r       Run the program, or connect again
kill                  End the program, or disconnect

cont, c               Go on
next, n               Go on to the next line
step, s               Go on, into a call where there is one
out, o                Go on until the function returns
pause                 Pause a program that runs
backtrace, bt         Show the calls
list                  Show the source around the current line
setContextLineNumber  Set how many lines are shown around a pause
setBreakpoint, sb     Set a breakpoint
clearBreakpoint, cb   Remove a breakpoint
breakpoints           List the breakpoints
breakOnException      Pause where anything is thrown
breakOnUncaught       Pause where something is thrown that nobody catches
breakOnNone           Pause on nothing that is thrown (the default)

watch(expr)           Show the expression at each pause
unwatch(expr)         Show it no longer
unwatch(index)        The same, by its number in the list
watchers              Show the watched expressions and their values

exec(expr), p(expr), exec expr, p expr
                      Evaluate the expression in the program, and show its value
repl                  Evaluate in the program until Ctrl+C

scripts               List the program's scripts

profile               Begin a profile of the program's time
profileEnd            End it
profiles              The profiles that were taken
profiles[n].save(filepath = 'node.cpuprofile')
                      Write one as JSON

takeHeapSnapshot(filepath = 'node.heapsnapshot')
                      Write a snapshot of the heap as JSON`;

const USAGE = `Usage: rt inspect [--port=<port>] [<flag> ...]
                  [<script> [<arguments>] | <host>:<port> | -p <pid>]

  --port=<port>   where the program's debugger listens (9229, or 0 for any)
  <script>        the program to start and to debug
  <host>:<port>   a program whose debugger listens there
  -p <pid>        a process that runs a program on this machine
`;

module.exports = { HELP, USAGE };
