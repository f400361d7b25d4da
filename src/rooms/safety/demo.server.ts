import type { Engine } from '#server/engine/engine.ts'
import { tellLibrary } from './library/demo.server.ts'
import { tellAssessments } from './risk/demo.server.ts'
import { tellTalks } from './talks/demo.server.ts'

/** Safety in the demo world: two companies' libraries, documents in every state, talks that were given. */
export async function tellDemo(engine: Engine): Promise<void> {
  await tellLibrary(engine)
  await tellAssessments(engine)
  await tellTalks(engine)
}
