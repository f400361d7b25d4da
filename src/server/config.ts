import { isIP } from 'node:net'
import { z } from 'zod'
import { isLoopbackHost, type ProxyTrust, parseProxyTrust } from './addresses.ts'

const whole = (fallback: number) => z.coerce.number().int().min(0).default(fallback)
const address = z.url({ error: 'must be a web address such as https://portal.example' })

/** Length in bytes of a key that seals secrets. */
export const SEALING_KEY_BYTES = 32
/** Parses one or more keys, separated by commas. The first key seals new secrets; all keys open existing secrets. */
const keys = z
  .string()
  .transform((s) => s.split(',').map((key) => Buffer.from(key.trim(), 'base64')))
  .refine(
    (all) => all.every((key) => key.length === SEALING_KEY_BYTES),
    'must be 32 random bytes in base64 (openssl rand -base64 32)',
  )

/** Host and port, or socket path, of a virus scanner that supports the protocol of ClamAV's daemon. */
export type VirusScannerAddress = { readonly host: string; readonly port: number } | { readonly path: string }

const CLAMD_PORT = 3310

function readScanner(text: string): VirusScannerAddress | undefined {
  const url = URL.parse(text)
  if (url?.protocol !== 'clamd:') return undefined
  if (url.hostname) return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || CLAMD_PORT) }
  return url.pathname.length > 1 ? { path: decodeURIComponent(url.pathname) } : undefined
}

const environment = z.object({
  PORT: whole(3000),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z.string().optional(),
  DATABASE_POOL: whole(10),
  STATEMENT_SECONDS: whole(30),
  PUBLIC_URL: address.optional(),
  PROVIDER_NAME: z.string().default('Stanchion'),
  SMTP_URL: z.string().optional(),
  FILES_URL: z
    .string()
    .regex(/^(file|s3):\/\//, 'must begin with file:// or s3://')
    .optional(),
  FILES_MAX_MB: z.coerce.number().int().min(1).max(500).default(25),
  SCAN_URL: z
    .string()
    .refine(
      (text) => readScanner(text) !== undefined,
      'must be a clamd URL such as clamd://127.0.0.1:3310 or clamd:///run/clamd.sock',
    )
    .optional(),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_PUBLISHABLE_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_API: address.optional(),
  HMRC_CLIENT_ID: z.string().optional(),
  HMRC_CLIENT_SECRET: z.string().optional(),
  HMRC_API: address.default('https://api.service.hmrc.gov.uk'),
  HMRC_VENDOR_IP: z
    .string()
    .refine((text) => isIP(text) > 0, 'must be an IP address such as 203.0.113.6')
    .optional(),
  APPLAUSE_URL: address.optional(),
  MAIL_INBOUND_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  MAIL_FROM: z.string().default('Portal <portal@localhost>'),
  SUPPORT_URL: address.optional(),
  SUPPORT_KEY: z.string().optional(),
  TRUST_PROXY: z
    .string()
    .default('false')
    .transform(
      (text, c) =>
        parseProxyTrust(text) ?? c.addIssue('must be a number of proxy hops, or a list of networks such as 10.0.0.0/8'),
    ),
  PLAIN_HTTP: z.stringbool().default(false),
  API_ORIGINS: z
    .string()
    .default('')
    .transform((text) => text.split(/[\s,]+/).filter(Boolean))
    .refine(
      (all) => all.every((o) => URL.parse(o)?.origin === o),
      'must be a list of origins such as https://app.example',
    ),
  DEMO_ANYWHERE: z.stringbool().default(false),
  MAINTENANCE: z.string().optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).optional(),
  SESSION_HOURS: whole(12),
  SESSION_DAYS: whole(7),
  STAFF_SESSION_HOURS: whole(12),
  VISIT_NEEDS_REASON: z.stringbool().default(false),
  TOKEN_MINUTES: whole(30),
  COMPANIES_HOUSE_KEY: z.string().optional(),
  COMPANIES_HOUSE_URL: address.default('https://api.company-information.service.gov.uk'),
  PDF_WORKERS: whole(0),
  SECOND_FACTOR: z.enum(['off', 'provider', 'all']).optional(),
  SECRET_KEY: keys.optional(),
  EVIDENCE_KEY: keys.optional(),
})

export interface Config {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  /** URL of the database server. `undefined`: the embedded database in `dataDir` is used. */
  readonly databaseUrl: string | undefined
  readonly pool: number
  /** Time limit for each SQL statement in a request, in seconds; 0 for none. */
  readonly statementSeconds: number
  readonly publicUrl: string | undefined
  readonly provider: string
  readonly smtpUrl: string | undefined
  readonly mailFrom: string
  /**
   * `applauseUrl`: source of the animated applause images. `mailInboundSecret`: secret with which the mail server signs
   * forwarded replies and bounces. If the secret is `undefined`, no replies or bounces are accepted.
   */
  readonly applauseUrl: string | undefined
  readonly mailInboundSecret: string | undefined
  /** Help desk that accepts tickets through osTicket's API. `undefined`: tickets are only in the portal's own list. */
  readonly support: { readonly url: string; readonly key: string } | undefined
  /**
   * Stripe account for card payments. `undefined`: demo and test portals use this server's test gateway; production
   * accepts no cards. `api` replaces Stripe's own URL. Without `webhookSecret`, no events are accepted.
   */
  readonly stripe:
    | {
        readonly secretKey: string
        readonly publishableKey: string
        readonly webhookSecret: string | undefined
        readonly api: string | undefined
      }
    | undefined
  /**
   * Application at HMRC's developer hub, for VAT returns. `undefined`: returns are only recorded by hand. `api` is HMRC's
   * own address, or that of its sandbox. `vendorAddress`: public IP address of this server, for HMRC's fraud-prevention
   * headers.
   */
  readonly hmrc:
    | {
        readonly clientId: string
        readonly clientSecret: string
        readonly api: string
        readonly vendorAddress: string | undefined
      }
    | undefined
  /**
   * Storage for uploaded files. `undefined`: the folder `files` in `dataDir`. `file:///srv/files`: that folder.
   * `s3://bucket?region=eu-west-2&endpoint=https://s3.example`: an S3-compatible store; without `endpoint`, Amazon S3.
   */
  readonly filesUrl: string | undefined
  /** Maximum size of an uploaded file, in bytes. */
  readonly fileLimit: number
  /** Virus scanner for uploaded files. `undefined`: files are not scanned. */
  readonly scanner: VirusScannerAddress | undefined
  /** Credentials for the S3 store. `undefined`: the machine's own credentials are used. */
  readonly filesKey: { readonly id: string; readonly secret: string } | undefined
  readonly trustProxy: ProxyTrust
  /** Origins of other websites whose pages may read API responses. */
  readonly apiOrigins: readonly string[]
  /** True to accept the public demo passwords from any machine, not only from this one. */
  readonly demoAnywhere: boolean
  /** Message shown to everybody while the portal is closed for maintenance. */
  readonly maintenance: string | undefined
  readonly logLevel: string
  /** Hours of inactivity after which a session ends. */
  readonly sessionHours: number
  /** Days after which a session ends, even if it is in use. */
  readonly sessionDays: number
  /** Hours after which a session of provider staff ends, even if it is in use. */
  readonly staffSessionHours: number
  /** True to require a reason for every impersonation. */
  readonly visitNeedsReason: boolean
  /** Minutes without use after which an access token expires. The web client renews its token automatically. */
  readonly tokenMinutes: number
  /**
   * Key for the Companies House API. `undefined`: companies are looked up only in the portal's own copy of the
   * register.
   */
  readonly companiesHouseKey: string | undefined
  readonly companiesHouseUrl: string
  /** Number of processes that generate PDFs. 0: one or two processes, depending on the machine. */
  readonly pdfWorkers: number
  /**
   * Users who must have a second factor: nobody, provider staff, or everybody. A user who has a second factor must
   * always use it.
   */
  readonly secondFactor: 'off' | 'provider' | 'all'
  /**
   * Keys that seal secrets which the portal must be able to read again. The first key seals new secrets. `undefined`: a
   * key in `dataDir` is used.
   */
  readonly secretKeys: readonly Buffer[] | undefined
  /**
   * Keys that sign the heads of audit chains (Ed25519). The first key signs; all keys verify. `undefined`: a key in
   * `dataDir` is used.
   */
  readonly evidenceKeys: readonly Buffer[] | undefined
}

/** Parses and validates the environment variables once. Throws an error with one sentence for each invalid setting. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, v]) => v !== ''))
  const read = environment.safeParse(given)
  if (!read.success)
    throw new Error(read.error.issues.map((i) => `The setting ${i.path.join('.')} ${i.message}.`).join('\n'))
  const e = read.data
  if (!e.STRIPE_SECRET_KEY !== !e.STRIPE_PUBLISHABLE_KEY)
    throw new Error('Set both STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY, or neither.')
  if (!e.HMRC_CLIENT_ID !== !e.HMRC_CLIENT_SECRET)
    throw new Error('Set both HMRC_CLIENT_ID and HMRC_CLIENT_SECRET, or neither.')
  if (!e.SUPPORT_URL !== !e.SUPPORT_KEY) throw new Error('Set both SUPPORT_URL and SUPPORT_KEY, or neither.')
  if (!isLoopbackHost(e.HOST) && !e.PLAIN_HTTP && !e.PUBLIC_URL?.startsWith('https:'))
    throw new Error(
      'Other machines can reach this HOST: set PUBLIC_URL to the https URL that people use, or set PLAIN_HTTP=true if passwords may be sent unencrypted.',
    )
  return {
    port: e.PORT,
    host: e.HOST,
    dataDir: e.DATA_DIR,
    databaseUrl: e.DATABASE_URL,
    pool: e.DATABASE_POOL,
    statementSeconds: e.STATEMENT_SECONDS,
    publicUrl: e.PUBLIC_URL?.replace(/\/$/, ''),
    provider: e.PROVIDER_NAME,
    smtpUrl: e.SMTP_URL,
    mailFrom: e.MAIL_FROM,
    applauseUrl: e.APPLAUSE_URL,
    mailInboundSecret: e.MAIL_INBOUND_SECRET,
    support: e.SUPPORT_URL && e.SUPPORT_KEY ? { url: e.SUPPORT_URL, key: e.SUPPORT_KEY } : undefined,
    stripe:
      e.STRIPE_SECRET_KEY && e.STRIPE_PUBLISHABLE_KEY
        ? {
            secretKey: e.STRIPE_SECRET_KEY,
            publishableKey: e.STRIPE_PUBLISHABLE_KEY,
            webhookSecret: e.STRIPE_WEBHOOK_SECRET,
            api: e.STRIPE_API,
          }
        : undefined,
    hmrc:
      e.HMRC_CLIENT_ID && e.HMRC_CLIENT_SECRET
        ? {
            clientId: e.HMRC_CLIENT_ID,
            clientSecret: e.HMRC_CLIENT_SECRET,
            api: e.HMRC_API.replace(/\/$/, ''),
            vendorAddress: e.HMRC_VENDOR_IP,
          }
        : undefined,
    filesUrl: e.FILES_URL,
    fileLimit: e.FILES_MAX_MB * 1024 * 1024,
    scanner: e.SCAN_URL === undefined ? undefined : readScanner(e.SCAN_URL),
    filesKey:
      e.AWS_ACCESS_KEY_ID && e.AWS_SECRET_ACCESS_KEY
        ? { id: e.AWS_ACCESS_KEY_ID, secret: e.AWS_SECRET_ACCESS_KEY }
        : undefined,
    trustProxy: e.TRUST_PROXY ?? false,
    apiOrigins: e.API_ORIGINS,
    demoAnywhere: e.DEMO_ANYWHERE,
    maintenance: e.MAINTENANCE,
    // With an embedded database, the portal probably runs on a desktop, where a person reads the terminal. A server's
    // log is read by a machine.
    logLevel: e.LOG_LEVEL ?? (e.DATABASE_URL ? 'info' : 'warn'),
    sessionHours: e.SESSION_HOURS,
    sessionDays: e.SESSION_DAYS,
    staffSessionHours: e.STAFF_SESSION_HOURS,
    visitNeedsReason: e.VISIT_NEEDS_REASON,
    tokenMinutes: e.TOKEN_MINUTES,
    companiesHouseKey: e.COMPANIES_HOUSE_KEY,
    companiesHouseUrl: e.COMPANIES_HOUSE_URL.replace(/\/$/, ''),
    pdfWorkers: e.PDF_WORKERS,
    secondFactor: e.SECOND_FACTOR ?? (e.DATABASE_URL ? 'provider' : 'off'),
    secretKeys: e.SECRET_KEY,
    evidenceKeys: e.EVIDENCE_KEY,
  }
}
