import { Anchor, Stack, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { Link, useSearchParams } from 'react-router'
import { hasRole } from '#kernel/roles.ts'
import { useMaybeMe } from '#web/api/me.ts'
import { actorOf } from '#web/api/session.ts'
import type { HelpArticleSource } from '#web/shell/manifest/article.ts'
import { matchesAllWords } from '#web/shell/palette/page-search.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { AskSupport } from '../support/ask.web.tsx'

/** The searchable text of an article. */
const wordsOf = (a: HelpArticleSource): string => `${a.title} ${a.summary} ${a.text}`

/** Help page with the articles for the current user. */
export function HelpPage({ articles }: { readonly articles: readonly HelpArticleSource[] }) {
  const me = useMaybeMe()
  const [query, setQuery] = useSearchParams()
  const asked = query.get('q') ?? ''
  const mine = articles.filter((a) => hasRole(me && actorOf(me), a.allow))
  const found = mine.filter((a) => matchesAllWords(asked, wordsOf(a)))
  return (
    <Stack maw="70ch">
      <PageTitle>Help</PageTitle>
      {me && (
        <Stack gap="md" align="flex-start">
          <AskSupport />
        </Stack>
      )}
      <TextInput
        type="search"
        label="Search help"
        leftSection={<IconSearch size={18} aria-hidden />}
        value={asked}
        onChange={(e) =>
          setQuery(e.currentTarget.value ? { q: e.currentTarget.value } : {}, {
            replace: true,
            preventScrollReset: true,
          })
        }
      />
      <Text role="status" size="sm" c="dimmed">
        {found.length === 0
          ? `No help article matches “${asked}”.`
          : `${found.length} ${found.length === 1 ? 'article' : 'articles'}`}
      </Text>
      <Stack component="ul" p={0} m={0} gap="md" style={{ listStyle: 'none' }}>
        {found.map((a) => (
          <li key={a.slug}>
            <Anchor component={Link} to={`/help/child?article=${a.slug}`} fw={600}>
              {a.title}
            </Anchor>
            <Text size="sm" c="dimmed">
              {a.summary}
            </Text>
          </li>
        ))}
      </Stack>
    </Stack>
  )
}
