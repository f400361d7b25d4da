// Runs the portal for development. The server restarts and the web app reloads when sources change. Open the portal at
// Vite's URL.
import { spawn } from 'node:child_process'
import { installDependencies } from './setup.mjs'
import { buildSpawnOptions, node, programArguments, superviseChildren } from './shared.mjs'

await installDependencies()
const options = { ...buildSpawnOptions(), stdio: 'inherit' }
const server = ['--watch', '--watch-preserve-output', ...programArguments, 'start', ...process.argv.slice(2)]
superviseChildren(spawn(node, server, options), spawn('vite', ['--clearScreen', 'false'], options))
