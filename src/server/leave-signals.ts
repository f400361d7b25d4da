/*
 * Imported first by a program that the server starts for its own work: a signal to the whole process group is for the server, which
 * still wants what is being made. It ends the programs that it has started itself, and so does its own end.
 */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
