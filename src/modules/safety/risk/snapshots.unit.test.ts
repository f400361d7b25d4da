import { describe, expect, it } from 'vitest'
import { arrangeTasks, parseMethodStatement, sortLibrarySnapshotsByTitle } from '../statements/method-statement.ts'
import { resolvePpeItems } from './snapshots.ts'

it('protective equipment already chosen retains its stored data, and newly chosen equipment gets its data from the library', () => {
  const kept = [{ id: 1, label: 'Hat', image: 'M014', iso7010: 'M014' }]
  const library = [
    { id: 1, name: 'Helmet, renamed since', image: 'M014' },
    { id: 2, name: 'Knee pads', image: 'knee-pads' },
    { id: 3, name: 'Gloves', image: 'M009' },
  ]
  expect(resolvePpeItems([3, 1, 2, 99], library, kept)).toEqual([
    { id: 3, label: 'Gloves', image: 'M009', iso7010: 'M009' },
    kept[0],
    { id: 2, label: 'Knee pads', image: 'knee-pads', iso7010: null },
  ])
})

it('an incomplete method statement is parsed without errors, with its tasks sorted by title', () => {
  expect(parseMethodStatement(null)).toEqual({ defaultStatements: [], nonDefaultStatements: [], taskSelection: [] })
  const [b, a] = [
    { '@id': '/2', title: 'Start', text: '' },
    { '@id': '/1', title: 'Arrive', text: '' },
  ]
  expect(parseMethodStatement({ taskSelection: [b], defaultStatements: 'none' }).taskSelection).toEqual([b])
  expect(sortLibrarySnapshotsByTitle([b, a] as const)).toEqual([a, b])
})

describe('the tasks of a method statement', () => {
  const task = (title: string) => ({ '@id': `/${title}`, title, text: '' })
  const [arrive, clear, dig, set] = ['Arrive', 'Clear', 'Dig', 'Set up'].map(task) as [
    ReturnType<typeof task>,
    ReturnType<typeof task>,
    ReturnType<typeof task>,
    ReturnType<typeof task>,
  ]

  it('tasks are sorted by title until the author moves one', () => {
    expect(arrangeTasks([], [set, arrive])).toEqual([arrive, set])
    expect(arrangeTasks([arrive, set], [set, arrive, dig])).toEqual([arrive, dig, set])
  })

  it('a newly chosen task comes last and leaves the author’s order unchanged', () => {
    expect(arrangeTasks([set, dig, clear], [clear, dig, set, arrive])).toEqual([set, dig, clear, arrive])
    expect(arrangeTasks([set, dig, clear], [clear, set])).toEqual([set, clear])
  })
})
