import { advicePart } from './advice/demo.server.ts'

export const demo = [advicePart]
