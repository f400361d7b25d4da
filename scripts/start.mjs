// Serves the portal, and prints what a newcomer needs: each step with its time, the address, the sign-ins and how to stop.
import { spawn } from 'node:child_process'
import { servedProgram } from './server.mjs'
import { setup } from './setup.mjs'
import { childOptions, liveWith, node } from './shared.mjs'
import { beginStep, endStep, moveStep } from './steps.mjs'
import { needWeb } from './web.mjs'

await setup()
await needWeb()
const program = await servedProgram()
const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
const server = spawn(node, [...program, 'start', ...process.argv.slice(2)], { ...childOptions(), stdio })
server.on('message', ({ begins, share, says }) => {
  if (begins) beginStep(begins)
  if (share !== undefined) moveStep(share)
  if (says) {
    endStep()
    process.stdout.write(says)
  }
})
server.on('exit', endStep)
liveWith(server)
