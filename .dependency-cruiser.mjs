// kernel ← server, web ← modules ← app. Inside a module the file name says the layer:
// x.ts declares, x.server.ts behaves, x.web.tsx shows, x.test.ts tries it out.
const packages = 'node_modules'
const test = '[.]test[.]tsx?$'
const declaration = '^src/modules/.+/[^/.]+[.]ts$'
const serverFile = '^src/modules/([^/]+)/.+[.]server[.]ts$'
const webFile = '^src/modules/([^/]+)/.+[.]web[.]tsx?$'
const style = '^src/modules/([^/]+)/.+[.]css$'
const own = (file) => file.replace('([^/]+)', '$1')

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
  'world/',
  'evidence/',
  'exports/',
  'bulk/',
  'runs/',
  'http/',
  'hydra/',
]
const door = (side) => `^src/modules/[^/]+/offers[.]${side}$`

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
    only('behaviour knows kernel, server, its own area, doors and declarations', serverFile, [
      '^src/(kernel|server)',
      declaration,
      own(serverFile),
      door('server[.]ts'),
    ]),
    only('screens know kernel, web, their own area, doors and declarations', webFile, [
      '^src/(kernel|web)',
      declaration,
      own(webFile),
      own(style),
      door('web[.]tsx'),
    ]),
    never('a noun is a folder of files', { path: '^src/modules/[^/]+/[^/]+/[^/]+/' }, {}),
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
