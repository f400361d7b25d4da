import type { EvidenceSpec } from '#kernel/evidence.ts'
import type { Area, Navigation, Pack } from '#kernel/packs.ts'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import type { Actor, Roles } from '#kernel/roles.ts'
import type { BatchJobType } from './batch-job.ts'
import type { DeclaredBehaviour } from './behaviour.ts'
import type { AnyGuard } from './guard.ts'
import type { EventHandler } from './handler.ts'
import type { Route } from './route.ts'
import type { Schedule } from './schedule.ts'
import type { Engine } from './types.ts'
import type { DemoPart, Reference } from './world.ts'

/** A kind of notification about a record. Its words are not stored: the record is asked when the notification is read. */
export interface NotificationType<R extends Resource = Resource> {
  /** Unique among all modules: `quote.decided`. */
  readonly kind: string
  /** Its name in the reader's settings: "Quotes accepted or declined". */
  readonly label: string
  readonly for: Roles
  /** A name of the web's `icons.ts`. */
  readonly icon: string
  /** The subject. Readers who may not read the record, or no longer, don't get the notification. */
  readonly of: R
  /** Its text, by the record as the reader sees it. */
  readonly words: (record: RecordOf<R>) => string
  /** The screen that it links to. */
  readonly path: (record: RecordOf<R>, engine: Engine, reader: Actor) => string
  /** A task for its reader, read or not, counted beside this area. Its migration says what ends it: `notices_end`. */
  readonly waits?: Area
  /** The task after its number: "to sign". */
  readonly todo?: string
  /** Whether it is in the daily letter by default; not where it has a letter of its own. */
  readonly mail: boolean
}

/** Checks the words against the record's own type, which the list of all notifications forgets. */
export const notificationType = <R extends Resource>(kind: NotificationType<R>): NotificationType =>
  kind as unknown as NotificationType

/** A command of `npm run portal -- import leads FILE.csv`. */
export interface Command {
  /** Its words: `import leads`. */
  readonly name: string
  /** Its lines of the help text. */
  readonly help: string
  /** Loaded when it is called. `run` gets the further arguments and resolves to its output; throws one sentence. */
  readonly load: () => Promise<(engine: Engine, args: string[]) => Promise<string>>
}

/** Reads the client's number behind `--client`. Throws one sentence. */
export function readClient(text: string): number {
  const id = Number(text)
  if (!/^[0-9]+$/.test(text) || !Number.isSafeInteger(id)) throw new Error('--client takes the number of a client.')
  return id
}

/** The subject of a link, as a waiting letter stores it: ids and times, nothing that opens anything. */
export type LinkAbout = Readonly<Record<string, string | number>>

/** A kind of secret link: it is made when the letter with it is sent, and stored as a hash alone. */
export interface SecretLink {
  /** Unique among all modules: waiting letters carry it. */
  readonly kind: string
  /** The whole address, valid from now on; `undefined` where the letter has lost its right to one while it waited. */
  readonly make: (engine: Engine, clientId: number, about: LinkAbout) => Promise<string | undefined>
}

/** Loads a feature's parts of the demo world. */
type LoadSeeds = () => Promise<{ readonly seeds: readonly DemoPart[] }>

/** Everything that a feature, or a module of several, registers with the server. */
interface Registered {
  /** Its screens that have a place in the navigation. */
  readonly navigation?: Readonly<Record<string, Navigation>>
  readonly resources?: readonly Resource[]
  readonly behaviours?: readonly (readonly [Resource, DeclaredBehaviour])[]
  /** Conditions for changes of other features' records. */
  readonly guards?: readonly (readonly [Resource, AnyGuard])[]
  readonly routes?: readonly Route[]
  readonly handlers?: readonly EventHandler[]
  readonly schedules?: readonly Schedule[]
  readonly batchJobs?: readonly BatchJobType[]
  readonly notifications?: readonly NotificationType[]
  /** Which of its records are sealed, and by which events. */
  readonly evidence?: readonly EvidenceSpec[]
  /** The secret links in its letters. */
  readonly links?: readonly SecretLink[]
  readonly commands?: readonly Command[]
  /** Data that must be loaded before the portal opens. */
  readonly referenceData?: readonly Reference[]
  readonly seeds?: LoadSeeds
}

export interface Feature extends Registered {
  /** The pack that its routes belong to, but for those that anybody may call. */
  readonly pack?: Pack
}

/** The manifest of a module. */
export interface Module extends Registered {
  readonly name: string
  readonly resources: readonly Resource[]
}

export const feature = (f: Feature): Feature => f

const inPack = ({ pack, routes = [] }: Feature): readonly Route[] =>
  routes.map((route) => (pack && route.allow !== 'anonymous' ? { ...route, pack } : route))

const itself = (item: unknown): unknown => item

/** Joins the features of a module. Throws where two of them register the same. */
export function moduleOf(name: string, features: readonly Feature[]): Module {
  const join = <T>(
    what: string,
    listOf: (f: Feature) => readonly T[] | undefined,
    keyOf: (item: T) => unknown = itself,
  ) => {
    const all = features.flatMap((f) => listOf(f) ?? [])
    if (new Set(all.map(keyOf)).size < all.length) throw new Error(`Two features of ${name} register the same ${what}`)
    return all
  }
  const loaders = join('seeds', ({ seeds }) => seeds && [seeds])
  return {
    name,
    navigation: Object.assign({}, ...features.map((f) => f.navigation)),
    resources: join('resource', (f) => f.resources),
    behaviours: join(
      'behaviour',
      (f) => f.behaviours,
      ([r]) => r,
    ),
    guards: join('guard', (f) => f.guards),
    routes: join('route', inPack, ({ method, path }) => `${method} ${path}`),
    handlers: join('handler', (f) => f.handlers),
    schedules: join('schedule', (f) => f.schedules),
    batchJobs: join('batch job', (f) => f.batchJobs),
    notifications: join('notification', (f) => f.notifications),
    evidence: join('evidence', (f) => f.evidence),
    links: join('link', (f) => f.links),
    commands: join('command', (f) => f.commands),
    referenceData: join('reference data', (f) => f.referenceData),
    seeds: async () => ({ seeds: (await Promise.all(loaders.map((load) => load()))).flatMap(({ seeds }) => seeds) }),
  }
}
