// Builds dist/web and dist/server.
import { servedProgram } from './server.mjs'
import { setup } from './setup.mjs'
import { needWeb } from './web.mjs'

await setup()
await needWeb()
await servedProgram()
