import { expect, test } from 'vitest'
import { buildImportGraph } from './graph.mjs'

const ALIASES = { '#modules/*': './src/modules/*' }
const needsOf = (texts: Record<string, string>, ...files: string[]) =>
  [...buildImportGraph(new Map(Object.entries(texts)), ALIASES).needs(files)].sort()

test('a file depends on its direct and transitive imports', () => {
  const texts = {
    'src/a.ts': "import { b } from './b.ts'\nimport './side.ts'\nconst later = () => import('./later.ts')",
    'src/b.ts': "import {\n  c,\n  type D,\n} from '#modules/m/c.ts'",
    'src/modules/m/c.ts': 'export const c = 1',
    'src/side.ts': '',
    'src/later.ts': '',
    'src/other.ts': "import { b } from './b.ts'",
  }
  expect(needsOf(texts, 'src/a.ts')).toEqual([
    'src/a.ts',
    'src/b.ts',
    'src/later.ts',
    'src/modules/m/c.ts',
    'src/side.ts',
  ])
})

test('a file does not depend on its type-only imports', () => {
  const texts = {
    'src/a.ts': "import type { B } from './b.ts'\nimport { type C } from './c.ts'",
    'src/b.ts': '',
    'src/c.ts': '',
  }
  expect(needsOf(texts, 'src/a.ts')).toEqual(['src/a.ts'])
})

test('an import through a re-exporting file depends only on the file that declares the imported name', () => {
  const texts = {
    'src/a.ts': "import { one as first } from './all.ts'",
    'src/b.ts': "import { three } from './all.ts'",
    'src/all.ts':
      "export { one, type Two } from './one.ts'\nexport { x as two } from './two.ts'\nexport * from './three.ts'",
    'src/one.ts': 'export const one = 1',
    'src/two.ts': 'export const x = 2',
    'src/three.ts': 'export const three = 3',
  }
  expect(needsOf(texts, 'src/a.ts')).toEqual(['src/a.ts', 'src/one.ts'])
  expect(needsOf(texts, 'src/b.ts')).toEqual(['src/b.ts', 'src/three.ts'])
})

test('a file that imports the list of all modules depends on the list, but not on the modules in it', () => {
  const texts = {
    'test/x.test.ts': "import { modules } from '../src/app/modules.ts'",
    'src/app/modules.ts': "import { m } from '#modules/m/module.server.ts'",
    'src/modules/m/module.server.ts': '',
  }
  expect(needsOf(texts, 'test/x.test.ts')).toEqual(['src/app/modules.ts', 'test/x.test.ts'])
})
