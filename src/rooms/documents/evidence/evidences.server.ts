import type { Room } from '#server/engine/room.ts'
import type { Evidence } from './evidence.ts'

/** The face of an area whose records are evidence. */
export interface RoomWithEvidence extends Room {
  readonly evidence: readonly Evidence[]
}

/** Everything that is evidence, from the faces of the areas that declare it. */
export const evidencesOf = (rooms: readonly (Room & Partial<RoomWithEvidence>)[]): Evidence[] =>
  rooms.flatMap((room) => room.evidence ?? [])
