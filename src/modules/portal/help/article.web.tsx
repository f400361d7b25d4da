import { Anchor, List, Stack, Text, Title } from '@mantine/core'
import { Link, Navigate, useSearchParams } from 'react-router'
import { hasRole } from '#kernel/roles.ts'
import { useMaybeMe } from '#web/api/me.ts'
import { actorOf } from '#web/api/session.ts'
import type { HelpArticleSource } from '#web/shell/manifest/article.ts'
import { usePageTitle } from '#web/shell/pages/title.ts'
import { PageTitle } from '#web/ui/page-title.tsx'

interface Block {
  readonly kind: 'heading' | 'text' | 'list' | 'steps'
  readonly lines: readonly string[]
}

const kindOf = (line: string): Block['kind'] =>
  line.startsWith('## ') ? 'heading' : line.startsWith('- ') ? 'list' : /^\d+\. /.test(line) ? 'steps' : 'text'

/**
 * Splits an article into blocks. Adjacent list items or steps form one block; every other line is a block of its own.
 */
function blocksOf(text: string): Block[] {
  const blocks: { kind: Block['kind']; lines: string[] }[] = []
  for (const line of text.split('\n').filter(Boolean)) {
    const kind = kindOf(line)
    const words = line.replace(/^(## |- |\d+\. )/, '')
    const last = blocks.at(-1)
    if (last && last.kind === kind && (kind === 'list' || kind === 'steps')) last.lines.push(words)
    else blocks.push({ kind, lines: [words] })
  }
  return blocks
}

const ArticleText = ({ text }: { text: string }) =>
  blocksOf(text).map(({ kind, lines }) =>
    kind === 'heading' ? (
      <Title order={2} size="h3" key={lines[0]} mt="sm">
        {lines[0]}
      </Title>
    ) : kind === 'text' ? (
      <Text key={lines[0]}>{lines[0]}</Text>
    ) : (
      <List key={lines[0]} type={kind === 'steps' ? 'ordered' : 'unordered'} spacing="xs" pe="md">
        {lines.map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
    ),
  )

/** A help article, for example the article at `/help/child?article=sign-in`. */
export function HelpArticle({ articles }: { readonly articles: readonly HelpArticleSource[] }) {
  const me = useMaybeMe()
  const [query] = useSearchParams()
  const mine = articles.filter((a) => hasRole(me && actorOf(me), a.allow))
  const article = mine.find((a) => a.slug === query.get('article'))
  usePageTitle(article?.title)
  if (!article) return <Navigate to="/help" replace />
  const others = mine.filter((a) => a !== article)
  return (
    <Stack maw="70ch">
      <Anchor component={Link} to="/help" size="sm">
        All articles
      </Anchor>
      <PageTitle>{article.title}</PageTitle>
      <ArticleText text={article.text} />
      {others.length > 0 && (
        <Text size="sm" mt="lg">
          See also:{' '}
          {others.map((a, i) => (
            <span key={a.slug}>
              {i > 0 && ', '}
              <Anchor component={Link} to={`/help/child?article=${a.slug}`}>
                {a.title}
              </Anchor>
            </span>
          ))}
        </Text>
      )}
    </Stack>
  )
}
