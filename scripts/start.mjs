// Starts the portal, and prints what a newcomer needs: each step with its time, the URL, the sign-in details and how to
// stop.
import { spawn } from 'node:child_process'
import { prepareServerProgram } from './server.mjs'
import { installDependencies } from './setup.mjs'
import { buildSpawnOptions, node, superviseChildren } from './shared.mjs'
import { beginStep, endStep, setStepProgress } from './steps.mjs'
import { ensureWebBuild } from './web.mjs'

await installDependencies()
await ensureWebBuild()
const program = await prepareServerProgram()
const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
const server = spawn(node, [...program, 'start', ...process.argv.slice(2)], { ...buildSpawnOptions(), stdio })
server.on('message', ({ begins, share, says }) => {
  if (begins) beginStep(begins)
  if (share !== undefined) setStepProgress(share)
  if (says) {
    endStep()
    process.stdout.write(says)
  }
})
server.on('exit', endStep)
superviseChildren(server)
