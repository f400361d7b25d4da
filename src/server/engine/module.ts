import type { EvidenceSpec } from '#kernel/evidence.ts'
import type { NavigationEntry, Pack, PortalArea } from '#kernel/packs.ts'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import type { Actor, Roles } from '#kernel/roles.ts'
import type { DeclaredBehaviour } from './behaviour.ts'
import type { DeclaredGuard } from './guard.ts'
import type { EventHandler } from './handler.ts'
import type { DemoDataPart, ReferenceData } from './initial-data.ts'
import type { Route } from './route.ts'
import type { BatchJobType, Schedule } from './schedule.ts'
import type { Engine } from './types.ts'

/**
 * A type of notification about a record. Its text is not stored, but derived from the record when the notification is
 * read.
 */
export interface NotificationType<R extends Resource = Resource> {
  /** Unique among all modules, such as `quote.decided`. */
  readonly kind: string
  /** Name in the reader's settings, such as "Quotes accepted or declined". */
  readonly label: string
  readonly for: Roles
  /** Name of an icon in the web's `icons.ts`. */
  readonly icon: string
  /** Resource of the subject. Users who may not, or no longer, read the record don't get the notification. */
  readonly of: R
  /** Returns the text, from the record as the reader sees it. */
  readonly words: (record: RecordOf<R>) => string
  /** Returns the screen that it links to. */
  readonly path: (record: RecordOf<R>, engine: Engine, reader: Actor) => string
  /**
   * Area whose badge counts it as a task of its reader, read or not. A migration defines what ends the task:
   * `notices_end`.
   */
  readonly waits?: PortalArea
  /** Text after the number of tasks, such as "to sign". */
  readonly todo?: string
  /** Included in the daily e-mail by default; false if it has its own e-mail. */
  readonly mail: boolean
}

/** Checks the text against the record's type, which the list of all notifications does not retain. */
export const declareNotificationType = <R extends Resource>(kind: NotificationType<R>): NotificationType =>
  kind as unknown as NotificationType

/** A command such as `npm run portal -- import leads FILE.csv`. */
export interface PortalCommand {
  /** Words of the command, such as `import leads`. */
  readonly name: string
  /** Lines in the help text. */
  readonly help: string
  /**
   * Loads the command when it is called. `run` gets the remaining arguments and resolves to its output; throws one
   * sentence.
   */
  readonly load: () => Promise<(engine: Engine, args: string[]) => Promise<string>>
}

/** Parses the client ID after `--client`. Throws one sentence. */
export function parseClientOption(text: string): number {
  const id = Number(text)
  if (!/^[0-9]+$/.test(text) || !Number.isSafeInteger(id)) throw new Error('--client takes the number of a client.')
  return id
}

/** Subject of a link as stored with a queued e-mail: only IDs and times, no secret. */
export type SecretLinkSubject = Readonly<Record<string, string | number>>

/** A type of secret link, created when its e-mail is sent, and stored only as a hash. */
export interface SecretLink {
  /** Unique among all modules, because queued e-mails refer to it. */
  readonly kind: string
  /**
   * Returns the full address, valid from now on; `undefined` if the e-mail has lost its right to a link while queued.
   */
  readonly make: (engine: Engine, clientId: number, about: SecretLinkSubject) => Promise<string | undefined>
}

/** Loads a feature's parts of the demo data. */
type LoadSeeds = () => Promise<{ readonly seeds: readonly DemoDataPart[] }>

/** Everything that a feature, or a module of several features, registers with the server. */
interface Registered {
  /** Screens in the navigation, by name. */
  readonly navigation?: Readonly<Record<string, NavigationEntry>>
  readonly resources?: readonly Resource[]
  readonly behaviours?: readonly (readonly [Resource, DeclaredBehaviour])[]
  /** Conditions for changes of other features' records. */
  readonly guards?: readonly (readonly [Resource, DeclaredGuard])[]
  readonly routes?: readonly Route[]
  readonly handlers?: readonly EventHandler[]
  readonly schedules?: readonly Schedule[]
  readonly batchJobs?: readonly BatchJobType[]
  readonly notifications?: readonly NotificationType[]
  /** Records that are sealed, and the events that seal them. */
  readonly evidence?: readonly EvidenceSpec[]
  /** Secret links in e-mails. */
  readonly links?: readonly SecretLink[]
  readonly commands?: readonly PortalCommand[]
  /** Data that must be loaded before the portal opens. */
  readonly referenceData?: readonly ReferenceData[]
  readonly seeds?: LoadSeeds
}

export interface Feature extends Registered {
  /** Pack that the routes belong to, except for public ones. */
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

/** Joins the features of a module. Throws if two of them register the same item. */
export function joinFeatures(name: string, features: readonly Feature[]): Module {
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
