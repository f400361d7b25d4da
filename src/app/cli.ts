import { enableCompileCache } from 'node:module'

// What any command writes, a database, an upload, a backup, is for this account alone.
process.umask(0o077)
// Kept between starts: reading eighty files of TypeScript is most of what a start costs.
enableCompileCache()

const { commandFor, HELP } = await import('./commands.ts')

const words = process.argv.slice(2)
const run = commandFor(words.length ? words : ['help'])
if (!run) {
  process.stderr.write(`There is no command "${words.join(' ')}".\n\n${HELP}`)
  process.exit(2)
}
run().catch((e: Error & { code?: string }) => {
  const message =
    e.code === 'EADDRINUSE' ? 'That port is in use. Stop the other program, or set PORT to another number.' : e.message
  process.stderr.write(`${message}\n`)
  process.exit(1)
})
