import { spawn } from 'node:child_process'
import { servedProgram } from './server.mjs'
import { setup } from './setup.mjs'
import { childOptions, liveWith, node } from './shared.mjs'
import { needWeb } from './web.mjs'

setup()
await needWeb()
const program = await servedProgram()
liveWith(spawn(node, [...program, 'start', ...process.argv.slice(2)], { ...childOptions(), stdio: 'inherit' }))
