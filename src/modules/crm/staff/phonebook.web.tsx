import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { user } from '#modules/identity/people/user.ts'
import { type Collection, callApi } from '#web/api/client.ts'
import { buildColumns } from '#web/lists/columns/columns.tsx'
import { ListToolbar } from '#web/lists/list-toolbar.tsx'
import { ListView } from '#web/lists/list-view.tsx'
import { EmptyState } from '#web/ui/states.tsx'

interface Person {
  readonly id: number
  readonly name: string
  readonly username: string
  readonly email: string | null
  readonly telephone: string | null
}

/** Phone book of one's own client, with search and call links. */
export function PhoneBookList() {
  const [q, setQ] = useState('')
  const book = useQuery({
    queryKey: ['/api/portal/phonebook'],
    queryFn: ({ signal }) => callApi<Collection<Person>>('GET', '/api/portal/phonebook', undefined, { signal }),
  })
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const has = (p: Person, word: string) =>
    `${p.name} ${p.username} ${p.email}`.toLowerCase().includes(word) ||
    (p.telephone ?? '').replaceAll(' ', '').includes(word)
  const rows = book.data?.['hydra:member'].filter((p) => words.every((w) => has(p, w)))
  return (
    <>
      <ListToolbar
        search="Search the phone book"
        keys={false}
        q={q}
        filters={[]}
        values={{}}
        onChange={(c) => setQ(c.q ?? '')}
      />
      <ListView<Person>
        label="Phone book"
        keys={false}
        rows={rows}
        error={book.error}
        onRetry={() => void book.refetch()}
        empty={<EmptyState title="The phone book is empty" />}
        narrowed={q !== ''}
        onClear={() => setQ('')}
        columns={buildColumns<Person>(user, ['name', 'telephone', 'email'])}
        idOf={(p) => String(p.id)}
        nameOf={(p) => p.name}
      />
    </>
  )
}
