import { digestSubject } from '#server/evidence/link.ts'
import type { IncidentFacts } from './facts.ts'

/** Returns a digest of the injuries of all people, by which a decision can be compared with the facts of today. */
export const injuriesOf = ({ people }: Pick<IncidentFacts, 'people'>): string =>
  digestSubject({
    injuries: people
      .map(({ id, injury, specified }) => ({ id, injury: injury ?? null, specified: specified ?? null }))
      .sort((a, b) => a.id - b.id),
  })
