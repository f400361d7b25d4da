import { clientsPart } from './clients/demo.server.ts'
import { filesPart } from './files/demo.server.ts'
import { supportPart } from './support/demo.server.ts'

export const demo = [clientsPart, filesPart, supportPart]
