import { Anchor, Stack, Text } from '@mantine/core'
import { Link, Navigate, useSearchParams } from 'react-router'
import { hasRole } from '#kernel/roles.ts'
import { useMaybeMe } from '#web/api/me.ts'
import { actorOf } from '#web/api/session.ts'
import type { Article } from '#web/shell/manifest/article.ts'
import { useTitle } from '#web/shell/pages/title.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { ArticleText } from './article-text.web.tsx'

/** One article: `/help/child?article=sign-in`. */
export function HelpArticle({ articles }: { readonly articles: readonly Article[] }) {
  const me = useMaybeMe()
  const [query] = useSearchParams()
  const mine = articles.filter((a) => hasRole(me && actorOf(me), a.allow))
  const article = mine.find((a) => a.slug === query.get('article'))
  useTitle(article?.title)
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
          Also:{' '}
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
