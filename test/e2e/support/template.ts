import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROGRAM } from './program.ts'

/** Makes the data folder that every portal of the journeys begins as a copy of: the demo world, untouched. */
export default function makeTemplate(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'stanchion-journeys-'))
  const env = { ...process.env, DATA_DIR: folder }
  const { status, stderr } = spawnSync(PROGRAM.node, [PROGRAM.script, 'demo'], { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`The demo world could not be made: ${stderr}`)
  process.env.JOURNEYS_TEMPLATE = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
