import { expect, test } from 'vitest'
import { buildFileTree, type FolderRecord } from './data.web.ts'

const folder = (id: number, parent: number | null) =>
  ({
    '@id': `/f/${id}`,
    '@type': 'DocumentFolder',
    id,
    name: `F${id}`,
    parent: parent === null ? null : `/f/${parent}`,
    retired: false,
  }) as unknown as FolderRecord
const pair = (f: FolderRecord | null, count: number) => ({
  folder: f,
  uploadedDocuments: Array.from({ length: count }, () => ({}) as never),
})

test('folders are listed after their parent folder, each with its contents', () => {
  const tree = buildFileTree([
    pair(folder(3, 1), 2),
    pair(folder(1, null), 1),
    pair(folder(2, null), 0),
    pair(folder(4, 99), 0),
    pair(null, 5),
  ])
  expect(tree.folders.map((f) => [f.folder.id, f.depth, f.count])).toEqual([
    [1, 0, 1],
    [3, 1, 2],
    [2, 0, 0],
    [4, 0, 0],
  ])
  expect(tree.files.get('')).toHaveLength(5)
})
