import type { Evidence } from '#kernel/evidence.ts'
import type { Room } from '#server/engine/room.ts'

/** Everything that is evidence, from the faces of the areas that declare it. */
export const evidencesOf = (rooms: readonly Room[]): Evidence[] => rooms.flatMap((room) => room.evidence ?? [])
