// kernel ← server, web ← modules ← app. Inside a module the file name says the layer:
// x.ts declares, x.server.ts behaves, x.web.tsx shows, x.test.ts tries it out.
const packages = 'node_modules'
/** Packages that need Node or are too large for a browser. */
const serverPackages =
  'node_modules/(@aws-sdk|@fastify|@myriaddreamin|@node-rs|@simplewebauthn/server|content-disposition|csv-parse|fastify|file-type|heic-decode|hucre|nodemailer|otpauth|pg|pg-boss|pino|sharp|stdnum|stripe)/'
const test = '[.]test[.]tsx?$'
const declaration = '^src/modules/.+/[^/.]+[.]ts$'
const serverFile = '^src/modules/([^/]+)/.+[.]server[.]ts$'
const webFile = '^src/modules/([^/]+)/.+[.]web[.]tsx?$'
const style = '^src/modules/([^/]+)/.+[.]css$'
const own = (file) => file.replace('([^/]+)', '$1')

/** Per module, the files that other modules may import besides declarations. */
export const publicFiles = {
  actions: ['dashboard.web.tsx', 'raise.server.ts', 'raised-actions.web.tsx'],
  companies: ['company-lookup.web.tsx'],
  crm: [
    'calling/continue-after-sale.web.tsx',
    'calling/lead-section.web.tsx',
    'calling/use-lease.web.ts',
    'contacts/contact-parts.web.tsx',
    'contacts/data.web.ts',
    'contacts/note.server.ts',
    'contacts/use-held-leads.web.ts',
    'files/lazy-files.web.tsx',
    'mail/batch.server.ts',
    'mail/states.web.ts',
    'people/data.web.ts',
    'people/of-lead.web.tsx',
    'staff/staff.server.ts',
  ],
  documents: [
    'audit-chain/seals.web.tsx',
    'lifecycle/own-work.server.ts',
    'lifecycle/revisions.server.ts',
    'named-employees/check.server.ts',
    'named-employees/document-names.server.ts',
    'named-employees/employee-select.web.tsx',
    'named-employees/name-input.web.tsx',
    'named-employees/suggestions.web.ts',
    'packs/finish-pack.server.ts',
    'printing/draw.server.ts',
    'review/due.web.tsx',
    'sending/send.server.ts',
    'settings/kinds.web.ts',
    'sharing/link-attempts.server.ts',
    'sharing/reading.server.ts',
    'signing-links/links.server.ts',
    'signing-links/poster-routes.server.ts',
    'signing/link-form.web.tsx',
    'signoff/link-dialog.web.tsx',
    'signoff/may-read.server.ts',
    'signing/signing.server.ts',
    'signoff/people.web.ts',
    'signoff/routes.server.ts',
    'types/kind.web.ts',
    'types/kinds.server.ts',
    'types/record.web.ts',
  ],
  identity: [
    'confidential-reads/of-record.web.tsx',
    'passwords/first-login.server.ts',
    'passwords/new-password.web.tsx',
    'people/accounts.server.ts',
    'people/user.server.ts',
    'profile/sealed-pin.server.ts',
    'profile/signing-pin.server.ts',
    'profile/signing-pin.web.tsx',
    'roles/role-groups.ts',
    'roles/role-picker.web.tsx',
  ],
  people: ['leave-report/csv.server.ts', 'leave/balances.server.ts'],
  portal: [
    'clients/client.server.ts',
    'directory/packs.web.tsx',
    'downloads/downloads.server.ts',
    'downloads/folders.web.tsx',
    'files/contents.server.ts',
    'files/demo-content.server.ts',
    'files/files.server.ts',
    'files/seed-file.server.ts',
    'files/upload.server.ts',
    'files/versions.server.ts',
    'known-roles.server.ts',
    'letterhead/letterhead.server.ts',
    'letterhead/papers.web.tsx',
    'mail/claim.server.ts',
    'notices/notify.server.ts',
    'packs/advert.web.tsx',
    'packs/routes.server.ts',
  ],
  safety: ['talks/presented-rules.server.ts'],
  training: ['matrix/read-matrix.server.ts'],
}
const publicFile = `^src/modules/(?:${Object.entries(publicFiles)
  .flatMap(([module, files]) => files.map((file) => `${module}/${file}`))
  .join('|')
  .replaceAll('.', '[.]')})$`

/** The server's folders from the ground up: each knows those before it. */
const floors = [
  'config[.]ts$',
  'db/',
  'auth/',
  'second-factor/',
  'processes/',
  'files/',
  'pdf/',
  'pictures/',
  'data/',
  'engine/',
  'seed/',
  'evidence/',
  'exports/',
  'bulk/',
  'jobs/',
  'http/',
  'hydra/',
]

const never = (name, from, to) => ({ name, severity: 'error', from, to })

/** Apart from packages and Node itself, files at `path` import only what is listed. */
const only = (name, path, allowed) =>
  never(name, { path, pathNot: test }, { dependencyTypesNot: ['core'], pathNot: [packages, ...allowed] })

export default {
  forbidden: [
    never('an import that leads nowhere', {}, { couldNotResolve: true, dependencyTypesNot: ['core'] }),
    // Types may refer to one another; only code that runs may not go round in circles.
    never('a cycle', {}, { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } }),
    never(
      'the kernel knows only itself and zod',
      { path: '^src/kernel', pathNot: test },
      { pathNot: ['^src/kernel', 'node_modules/zod/'] },
    ),
    only('the server knows the kernel', '^src/server', ['^src/(kernel|server)']),
    ...floors.map((floor, i) =>
      never(
        `src/server/${floor} knows the floors below it`,
        { path: `^src/server/${floor}`, pathNot: test },
        { path: `^src/server/(${floors.slice(i + 1).join('|') || 'none'})` },
      ),
    ),
    only('the web knows the kernel', '^src/web', ['^src/(kernel|web)']),
    only('a declaration knows the kernel, declarations and reference data', declaration, [
      '^src/kernel',
      declaration,
      '^db/reference/',
    ]),
    only('behaviour knows the kernel, the server, its own module, public files and declarations', serverFile, [
      '^src/(kernel|server)',
      declaration,
      own(serverFile),
      publicFile,
    ]),
    never('behaviour knows no screens', { path: serverFile, pathNot: test }, { path: webFile }),
    only('screens know the kernel, the web, their own module, public files and declarations', webFile, [
      '^src/(kernel|web)',
      declaration,
      own(webFile),
      own(style),
      publicFile,
    ]),
    // A page whose script needs Node stays blank.
    never(
      'no screen reaches a package of the server',
      { path: [webFile, '^src/web'], pathNot: test },
      { path: serverPackages, reachable: true },
    ),
    never('screens know no behaviour', { path: webFile, pathNot: test }, { path: serverFile }),
    never('a feature is a folder of files', { path: '^src/modules/[^/]+/[^/]+/[^/]+/' }, {}),
    never(
      'a module holds x.ts, x.server.ts, x.web.tsx and x.test.ts',
      { path: '^src/modules', pathNot: [declaration, serverFile, webFile, test] },
      {},
    ),
    never(
      'only the app opens modules',
      { pathNot: ['^src/app', '^test', test] },
      { path: '/module[.](server|web)[.]tsx?$' },
    ),
    never('only tests know tests', { path: '^src', pathNot: test }, { path: ['^test', test] }),
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: packages },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs'],
      conditionNames: ['import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
}
