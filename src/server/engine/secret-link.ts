import type { Engine } from './types.ts'

/** The subject of a link, as a waiting letter stores it: ids and times, nothing that opens anything. */
export type LinkAbout = Readonly<Record<string, string | number>>

/** A kind of secret link: it is made when the letter with it is sent, and stored as a hash alone. */
export interface SecretLink {
  /** Unique among all modules: waiting letters carry it. */
  readonly kind: string
  /** The whole address, valid from now on; `undefined` where the letter has lost its right to one while it waited. */
  readonly make: (engine: Engine, clientId: number, about: LinkAbout) => Promise<string | undefined>
}
