import { enableCompileCache } from 'node:module'

// Kept between starts: reading eighty files of TypeScript is most of what a start costs.
enableCompileCache()

const { commands, HELP } = await import('./commands.ts')

const command = process.argv[2] ?? 'help'
const run = commands[command]
if (!run) {
  process.stderr.write(`There is no command "${command}".\n\n${HELP}`)
  process.exit(2)
}
run().catch((e: Error & { code?: string }) => {
  const message =
    e.code === 'EADDRINUSE' ? 'That port is in use. Stop the other program, or set PORT to another number.' : e.message
  process.stderr.write(`${message}\n`)
  process.exit(1)
})
