import { Anchor, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { hasRole } from '#kernel/roles.ts'
import { matchesWordBeginnings } from '#kernel/text/search.ts'
import { useActor, useMaybeMe, useMe } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { actorOf } from '#web/api/session.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import type { HelpArticleSource } from '#web/shell/manifest/article.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import page from '#web/ui/page.module.css'
import { PageTitle } from '#web/ui/page-title.tsx'
import { SectionError } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { toast } from '#web/ui/toast.ts'
import { supportTicket } from '../support/ticket.ts'

const SHOWN_TICKETS = 5

/** The user's recent support requests with the replies; administrators see those of their company. */
function SupportRequests() {
  const works = hasRole(useActor(), 'ROLE_STAFF')
  const asked = useList(supportTicket, { itemsPerPage: SHOWN_TICKETS, partial: true }, { enabled: !works })
  const all = asked.data?.['hydra:member'] ?? []
  if (asked.error) return <SectionError error={asked.error} onRetry={() => asked.refetch()} />
  if (works || !all.length) return null
  return (
    <section className={page.card} aria-labelledby="asked-support">
      <Title order={2} size="h4" id="asked-support">
        Your support requests
      </Title>
      <ul style={{ margin: 0, paddingInlineStart: 18 }}>
        {all.map((one) => (
          <li key={one.id}>
            <Group gap="sm">
              <Text style={{ overflowWrap: 'anywhere' }}>{one.subject}</Text>
              <StatusChip meaning={one.state === 'open' ? 'attention' : 'safe'}>
                {one.state === 'open' ? 'Open' : 'Closed'}
              </StatusChip>
              <Text size="sm" c="dimmed">
                {one.name}, <DateTimeText at={one.createdAt} />
              </Text>
            </Group>
            {one.answer && (
              <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {one.answer}
              </Text>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/**
 * Dialog for sending a question to the provider's support. `?ask=` opens the dialog with the screen that failed and its
 * request ID.
 */
function AskSupport() {
  const me = useMe()
  const [query, setQuery] = useSearchParams()
  const [asked, setAsked] = useState(false)
  const open = asked || query.has('ask')
  const close = () => {
    setAsked(false)
    setQuery(
      (now) => {
        for (const name of ['ask', 'page', 'reference']) now.delete(name)
        return now
      },
      { replace: true },
    )
  }
  return (
    <>
      <Button variant="default" onClick={() => setAsked(true)}>
        Contact support
      </Button>
      <Dialog opened={open} onClose={close} title="Contact support">
        <ResourceForm
          resource={supportTicket}
          fields={['subject', 'message', 'email', 'page', 'reference']}
          defaults={{ email: me.email ?? '', page: query.get('page') ?? '', reference: query.get('reference') ?? '' }}
          action="Send"
          onCancel={close}
          onSaved={() => {
            close()
            toast.saved('question for support')
          }}
        />
      </Dialog>
      <SupportRequests />
    </>
  )
}

/** Returns the searchable text of an article. */
const wordsOf = (a: HelpArticleSource): string => `${a.title} ${a.summary} ${a.text}`

/** Help page with the articles for the user's roles. */
export function HelpPage({ articles }: { readonly articles: readonly HelpArticleSource[] }) {
  const me = useMaybeMe()
  const [query, setQuery] = useSearchParams()
  const asked = query.get('q') ?? ''
  const mine = articles.filter((a) => hasRole(me && actorOf(me), a.allow))
  const found = mine.filter((a) => matchesWordBeginnings(asked, wordsOf(a)))
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
