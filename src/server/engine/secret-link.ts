import type { Engine } from './engine.ts'

/** What a link is about, as a waiting letter holds it: ids and times, nothing that opens anything. */
export type LinkAbout = Readonly<Record<string, string | number>>

/** A kind of link that is a secret: it is made when the letter with it goes out, and kept as a hash alone. */
export interface SecretLink {
  /** Unique among all modules: waiting letters carry it. */
  readonly kind: string
  /** The whole address, good from now on; `undefined` where the letter has lost its right to one while it waited. */
  readonly make: (engine: Engine, clientId: number, about: LinkAbout) => Promise<string | undefined>
}

/** Makes a link of the kind that a module has declared, while it may be made. Throws for a kind that no module has. */
export function makeSecretLink(
  engine: Engine,
  clientId: number,
  kind: string,
  about: LinkAbout,
): Promise<string | undefined> {
  const found = engine.modules.flatMap((module) => module.links ?? []).find((link) => link.kind === kind)
  if (!found) throw new Error(`No module makes links of the kind "${kind}"`)
  return found.make(engine, clientId, about)
}
