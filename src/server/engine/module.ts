import type { EvidenceSpec } from '#kernel/evidence.ts'
import type { NavigationEntry, PackChoice, PortalArea } from '#kernel/packs.ts'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import type { Actor, Roles } from '#kernel/roles.ts'
import type { SystemEmail } from '#kernel/system-email.ts'
import type { DeclaredBehaviour } from './behaviour.ts'
import type { DeclaredGuard } from './guard.ts'
import type { EventHandler } from './handler.ts'
import type { DemoDataPart, ReferenceData } from './initial-data.ts'
import type { Route } from './route.ts'
import type { BatchJobType, Schedule } from './schedule.ts'
import type { Context, Engine } from './types.ts'

/**
 * A type of notification about a record. Its text is not stored, but derived from the record when the notification is
 * read.
 */
export interface NotificationType<R extends Resource = Resource> {
  /** Name of the type, unique among all modules, such as `quote.decided`. */
  readonly kind: string
  /** Name in the recipient's settings, such as "Quotes accepted or declined". */
  readonly label: string
  readonly for: Roles
  /** Name of an icon in the web's `icons.ts`. */
  readonly icon: string
  /**
   * Resource of the record that the notification is about. Users who may not, or may no longer, read the record don't
   * get the notification.
   */
  readonly of: R
  /** Returns the notification's text, based on the record as the reader sees it. */
  readonly words: (record: RecordOf<R>) => string
  /** Returns the path of the screen that the notification links to. */
  readonly path: (record: RecordOf<R>, engine: Engine, reader: Actor) => string
  /**
   * Area whose badge counts the notification as a task for its reader, whether or not it has been read. A migration
   * (`notices_end`) defines what ends the task.
   */
  readonly waits?: PortalArea
  /** Text after the number of tasks, such as "to sign". */
  readonly todo?: string
  /** True if the daily e-mail includes the notification by default; false if the notification has its own e-mail. */
  readonly mail: boolean
}

/**
 * Declares a notification type, whose functions are type-checked against the record's type. The list of all
 * notifications does not retain that type.
 */
export const declareNotificationType = <R extends Resource>(kind: NotificationType<R>): NotificationType =>
  kind as unknown as NotificationType

/** A command such as `npm run portal -- import leads FILE.csv`. */
export interface PortalCommand {
  /** Words that call the command, such as `import leads`. */
  readonly name: string
  readonly help: string
  /**
   * Loads the command when it is called. The loaded function receives the remaining arguments and resolves to the
   * output; it throws one-sentence errors.
   */
  readonly load: () => Promise<(engine: Engine, args: string[]) => Promise<string>>
}

/** Parses the client ID after `--client`. Throws a one-sentence error for an invalid ID. */
export function parseClientOption(text: string): number {
  const id = Number(text)
  if (!/^[0-9]+$/.test(text) || !Number.isSafeInteger(id))
    throw new Error('--client must be followed by a client number.')
  return id
}

/** Subject of a link as stored with a queued e-mail: only IDs and times, no secret. */
export type SecretLinkSubject = Readonly<Record<string, string | number>>

/** A type of secret link. Such a link is created when its e-mail is sent, and stored only as a hash. */
export interface SecretLink {
  /** Name of the type, unique among all modules because queued e-mails refer to it. */
  readonly kind: string
  /**
   * Creates the link, valid from now on, and returns its full URL. Returns `undefined` if the e-mail lost its right to
   * a link while it was queued.
   */
  readonly make: (engine: Engine, clientId: number, about: SecretLinkSubject) => Promise<string | undefined>
}

/** Loads a feature's parts of the demo data. */
type LoadSeeds = () => Promise<{ readonly seeds: readonly DemoDataPart[] }>

/** Everything that a feature, or a module of several features, registers with the server. */
interface Registered {
  /** Screens in the navigation, by name; those of a module, by path. */
  readonly navigation?: Readonly<Record<string, NavigationEntry>>
  readonly resources?: readonly Resource[]
  readonly behaviours?: readonly (readonly [Resource, DeclaredBehaviour])[]
  /** Conditions for changes to other features' records. */
  readonly guards?: readonly (readonly [Resource, DeclaredGuard])[]
  readonly routes?: readonly Route[]
  readonly handlers?: readonly EventHandler[]
  readonly schedules?: readonly Schedule[]
  readonly batchJobs?: readonly BatchJobType[]
  readonly notifications?: readonly NotificationType[]
  /** E-mails that the portal writes itself. */
  readonly emails?: readonly SystemEmail[]
  /** Records that are sealed, and the events that seal them. */
  readonly evidence?: readonly EvidenceSpec[]
  /** Steps at the end of each transaction, which may queue further writes. */
  readonly beforeCommit?: readonly BeforeCommit[]
  /** Secret links in e-mails. */
  readonly links?: readonly SecretLink[]
  readonly commands?: readonly PortalCommand[]
  /** Data that must be loaded before the portal opens. */
  readonly referenceData?: readonly ReferenceData[]
  readonly seeds?: LoadSeeds
}

/** Step at the end of a transaction. */
export type BeforeCommit = (c: Context) => Promise<void>

export interface Feature extends Registered {
  /** Pack of the routes that state none; public routes belong to no pack. */
  readonly pack?: PackChoice
}

export interface Module extends Registered {
  readonly name: string
  readonly resources: readonly Resource[]
}

export const feature = (f: Feature): Feature => f

const inPack = ({ pack, routes = [] }: Feature): readonly Route[] =>
  routes.map((route) => (pack && route.allow !== 'anonymous' ? { ...route, pack: route.pack ?? pack } : route))

const itself = (item: unknown): unknown => item

/** Joins the features of a module. Throws if two features register the same item. */
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
    navigation: Object.fromEntries(
      join(
        'screen',
        (f) => Object.values(f.navigation ?? {}),
        ({ path }) => path,
      ).map((entry) => [entry.path, entry]),
    ),
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
    emails: join('e-mail', (f) => f.emails),
    evidence: join('evidence', (f) => f.evidence),
    beforeCommit: join('step before commits', (f) => f.beforeCommit),
    links: join('link', (f) => f.links),
    commands: join('command', (f) => f.commands),
    referenceData: join('reference data', (f) => f.referenceData),
    seeds: async () => ({ seeds: (await Promise.all(loaders.map((load) => load()))).flatMap(({ seeds }) => seeds) }),
  }
}
