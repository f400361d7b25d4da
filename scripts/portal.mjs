import { spawn } from 'node:child_process'
import { setup } from './setup.mjs'
import { childOptions, liveWith, node, program } from './shared.mjs'

await setup()
liveWith(spawn(node, [...program, ...process.argv.slice(2)], { ...childOptions(), stdio: 'inherit' }))
