import { enableCompileCache } from 'node:module'

// Makes files written by any command (database, uploads, backups) accessible to this account only.
process.umask(0o077)
// Caches compiled code between starts, because compiling eighty TypeScript files takes most of the start-up time.
enableCompileCache()

const { findCommand: commandFor, COMMAND_LINE_HELP: HELP } = await import('./commands.ts')

const words = process.argv.slice(2)
const run = commandFor(words.length ? words : ['help'])
if (!run) {
  process.stderr.write(`Unknown command "${words.join(' ')}".\n\n${HELP}`)
  process.exit(2)
}
run().catch((e: Error & { code?: string }) => {
  const message =
    e.code === 'EADDRINUSE' ? 'This port is in use. Stop the other program, or set PORT to another number.' : e.message
  process.stderr.write(`${message}\n`)
  process.exit(1)
})
