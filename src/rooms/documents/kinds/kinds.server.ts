import type { Context } from '#server/engine/context.ts'
import type { Room } from '#server/engine/room.ts'
import type { DocumentKind, DocumentWords, Settled } from './kind.ts'

/** What becomes of the rows of a revision before they are kept: what is known elsewhere comes from there. Throws 422 for what can't be. */
export type KeptRows = (c: Context, revision: Pick<Settled, 'next' | 'before'>) => Promise<DocumentWords>

/** The face of an area that declares kinds of controlled document. */
export interface RoomWithKinds extends Room {
  readonly kinds: readonly DocumentKind[]
  /** By kind. */
  readonly keptRows?: Readonly<Record<string, KeptRows>>
}

/** Every kind, from the faces of the areas that declare them. */
export const kindsOf = (rooms: readonly (Room & Partial<RoomWithKinds>)[]): DocumentKind[] =>
  rooms.flatMap((room) => room.kinds ?? [])

/** What becomes of the rows of each kind that has a rule of its own for them. */
export const keptRowsOf = (rooms: readonly (Room & Partial<RoomWithKinds>)[]): Readonly<Record<string, KeptRows>> =>
  Object.assign({}, ...rooms.map((room) => room.keptRows ?? {}))
