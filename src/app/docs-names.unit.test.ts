import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

/**
 * Documents under test. Decision records are excluded, because they describe the portal as it was when they were
 * written.
 */
const documents = globSync(['README.md', 'docs/**/*.md', 'src/modules/*/README.md'], { exclude: ['docs/decisions/**'] })
const files = globSync('{src,test,scripts,bench,db,docs}/**/*.{ts,tsx,mjs,md,json,sql,txt,typ}', {
  exclude: ['**/node_modules/**'],
})
const OWN_PATH = 'src/app/docs-names.unit.test.ts'
const sourcePaths = files.filter((path) => /\.(?:tsx?|mjs|sql)$/.test(path) && path !== OWN_PATH)
const FENCES = /^```[\s\S]*?^```$/gm
const COMMENT_LINES = /^\s*(?:\/\/|\/\*|\*|--).*$/gm

/**
 * Paths that are not checked: names of files that every module or feature has, placeholders, and example files that are
 * not TypeScript.
 */
const PATH_EXCEPTIONS: ReadonlySet<string> = new Set([
  'db/migrations/00NN_leave_types.sql',
  'feature.server.ts',
  'help.web.ts',
  'module.server.ts',
  'module.web.tsx',
  'nav.ts',
  'screens.web.ts',
  'src/modules/safety/absence/absence.typ',
  'x.test.ts',
  'x.unit.test.ts',
])

/**
 * Names that are not checked: names from browsers, names that the API no longer has, and examples in the style guide.
 */
const NAME_EXCEPTIONS: ReadonlySet<string> = new Set([
  'LeaveRequestInput',
  'hasIt',
  'modifiedAt',
  'sessionStorage',
  'sortOrder',
])

const wordsIn = (text: string): string[] => text.match(/[A-Za-z_$][\w$]*/g) ?? []
/** Names in comments that are not checked: an operation of the API, an example of a role, and a class of Node. */
const COMMENT_NAME_EXCEPTIONS: ReadonlySet<string> = new Set([
  'FileHandle',
  'ROLE_SITE_MANAGER',
  'getCrmContactsIdSales',
])

const callsIn = (text: string): string[] => text.match(/[A-Za-z_$][\w$]*(?=(?:<[^<>()]*>)?\()/g) ?? []
const codeOf = (path: string): string => readFileSync(path, 'utf8').replace(COMMENT_LINES, '')

const fencesIn = (path: string): string => (readFileSync(path, 'utf8').match(FENCES) ?? []).join('\n')
const proseOf = (path: string): string => readFileSync(path, 'utf8').replace(FENCES, '')

/** Source files, and the examples in the guides, which `npm run check` compiles. */
const sources: readonly string[] = [...sourcePaths.map(codeOf), ...documents.map(fencesIn)]
const knownWords: ReadonlySet<string> = new Set(sources.flatMap(wordsIn))
const knownCalls: ReadonlySet<string> = new Set(sources.flatMap(callsIn))
const examplePaths: readonly string[] = documents.flatMap((path) =>
  [...fencesIn(path).matchAll(/^```tsx? (\S+)$/gm)].map(([, example = '']) => example),
)

const IS_PATH = /^(?!\/)[#\w./*-]+\.(?:tsx?|mjs|md|json|sql|txt|typ)$|^#[\w-]+\//
const ROOTS = ['', 'src', 'src/server', 'src/web', 'src/modules', 'db', 'test']

/**
 * Returns the files to which a path in a document may refer: the one relative to the document's folder or a root,
 * otherwise all files whose path ends with the given path. In a module's README, these must be the module's own files.
 */
function filesNamed(path: string, document: string): readonly string[] {
  const folder = dirname(document)
  const aliased = path.replace(/^#test\//, 'test/').replace(/^#(\w+)\//, 'src/$1/')
  const stated = [folder, ...ROOTS].map((root) => join(root, aliased))
  if (path.includes('*')) return stated.flatMap((pattern) => globSync(pattern))
  const found = stated.filter((one) => existsSync(one) || examplePaths.includes(one))
  if (found.length) return found.slice(0, 1)
  const ending = [...files, ...examplePaths].filter((one) => one.endsWith(`/${aliased}`))
  const isModuleReadme = document.startsWith('src/modules/')
  return isModuleReadme ? ending.filter((one) => one.startsWith(`${folder}/`)) : ending
}

function pathProblem(path: string, document: string): string | undefined {
  if (PATH_EXCEPTIONS.has(path)) return undefined
  const found = filesNamed(path, document)
  if (!found.length) return `${path} is no file`
  if (found.length === 1 || path.includes('*')) return undefined
  return `${path} is ${found.length} files, such as ${found.slice(0, 2).join(' and ')}`
}

/** Returns the folders that a module's README lists in its table of features but that the module does not have. */
const missingFolders = (document: string): string[] =>
  [...(/^\| Folder \|[\s\S]*?^$/m.exec(proseOf(document))?.[0] ?? '').matchAll(/^\| (`[^|]+`) \|/gm)]
    .flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
    .filter((name) => !files.some((path) => path.startsWith(`${dirname(document)}/${name}/`)))

/** Returns the names of the functions that a code span calls. */
const callsOf = (code: string): string[] => callsIn(code).filter((name) => name.length >= 5)

/** Returns the names in a code span that must exist in the source: components, and words with an inner capital. */
function namesIn(code: string): string[] {
  const components = [...code.matchAll(/<([A-Z]\w{4,})/g)].map(([, name = '']) => name)
  const isName = code.length >= 5 && /^(?:[a-z]\w*[A-Z]\w*|[A-Z][a-z]\w*[A-Z]\w*)$/.test(code)
  return isName ? [code] : components
}

const IS_CONSTANT = /^[A-Z]+(?:_[A-Z]+)+$/

const codeSpansOf = (document: string): string[] =>
  [...proseOf(document).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)

/** Returns the names that a document states with their file, as in "`a`, `b(…)` and `c` (`path.ts`)". */
const placedNamesOf = (document: string): (readonly [name: string, path: string])[] =>
  [
    ...proseOf(document).matchAll(/((?:`[^`\n]+`(?:, | and |, and ))*`[^`\n]+`)\s\(`([^`\n]+\.(?:tsx?|mjs))`\)/g),
  ].flatMap(([, names = '', path = '']) =>
    [...names.matchAll(/`<?([A-Za-z]\w{3,})(?:[(>][^`]*)?`/g)].map(([, name = '']) => [name, path] as const),
  )

const problemsOf = (check: (document: string) => readonly (string | undefined)[]): string[] =>
  documents.flatMap((document) =>
    check(document)
      .filter((reason) => reason !== undefined)
      .map((reason) => `${document}: ${reason}`),
  )

describe('names in the documentation', () => {
  test('each path in the documentation refers to exactly one existing file', () => {
    const isPath = (code: string) => IS_PATH.test(code)
    expect(
      problemsOf((document) =>
        codeSpansOf(document)
          .filter(isPath)
          .map((path) => pathProblem(path, document)),
      ),
    ).toEqual([])
  })

  test('each function, component or field named in the documentation exists in the source', () => {
    const unknown = (document: string) =>
      codeSpansOf(document).flatMap((code) => [
        ...callsOf(code).filter((name) => !knownCalls.has(name)),
        ...namesIn(code).filter((name) => !knownWords.has(name)),
      ])
    const isStale = (name: string) => !NAME_EXCEPTIONS.has(name)
    expect(
      problemsOf((document) =>
        unknown(document)
          .filter(isStale)
          .map((name) => `${name} is no name`),
      ),
    ).toEqual([])
  })

  test('each function, component or field named in a comment exists in the source', () => {
    const commentLines = (path: string) => readFileSync(path, 'utf8').match(COMMENT_LINES) ?? []
    const namesInComment = (line: string) =>
      [...line.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) => (IS_CONSTANT.test(code) ? [code] : namesIn(code)))
    const isUnknown = (name: string) => !knownWords.has(name) && !COMMENT_NAME_EXCEPTIONS.has(name)
    expect(
      sourcePaths.flatMap((path) =>
        commentLines(path)
          .flatMap(namesInComment)
          .filter(isUnknown)
          .map((name) => `${path}: ${name} is no name`),
      ),
    ).toEqual([])
  })

  test('each name that the documentation attributes to a file occurs in that file', () => {
    const problem = ([name, path]: readonly [string, string], document: string) => {
      const [file] = filesNamed(path, document).filter((one) => existsSync(one))
      const isThere = !file || NAME_EXCEPTIONS.has(name) || wordsIn(codeOf(file)).includes(name)
      return isThere ? undefined : `${name} is not in ${file}`
    }
    expect(problemsOf((document) => placedNamesOf(document).map((placed) => problem(placed, document)))).toEqual([])
  })

  test('each module has the folders listed in its README', () => {
    expect(problemsOf((document) => missingFolders(document).map((name) => `${name} is no folder`))).toEqual([])
  })
})
