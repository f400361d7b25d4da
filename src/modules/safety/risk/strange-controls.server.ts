import { type Violation, violation } from '#kernel/errors.ts'
import type { Context } from '#server/engine/types.ts'
import { hazardControl } from '../library/hazard.ts'

/** What a line names of the library, and where it stands. */
export interface Strange {
  readonly control: number | null
  readonly hazard: number | null
  readonly at: string
}

/** What is wrong with lines: a control that the library has for another hazard than theirs. */
export async function ofAnotherHazard(c: Context, lines: readonly Strange[]): Promise<Violation[]> {
  const named = lines.filter((line) => line.control !== null && line.hazard !== null)
  const ids = [...new Set(named.flatMap(({ control }) => control ?? []))]
  const hazards = new Map((ids.length ? await c.find(hazardControl, { id: ids }) : []).map((it) => [it.id, it.hazard]))
  return named.flatMap(({ control, hazard, at }) => {
    const its = hazards.get(control ?? 0)
    return its === undefined || its === hazard
      ? []
      : [violation(`${at}control`, 'This control is for another hazard. Please choose one of this hazard')]
  })
}
