import type { Room } from '#server/engine/room.ts'
import type { DocumentKind } from './kind.ts'

/** The face of an area that declares kinds of controlled document. */
export interface RoomWithKinds extends Room {
  readonly kinds: readonly DocumentKind[]
}

/** Every kind, from the faces of the areas that declare them. */
export const kindsOf = (rooms: readonly (Room & Partial<RoomWithKinds>)[]): DocumentKind[] =>
  rooms.flatMap((room) => room.kinds ?? [])
