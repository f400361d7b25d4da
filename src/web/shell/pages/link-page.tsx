import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { ApiError, callApi } from '../../api/client.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { LoadingRows } from '../../ui/states.tsx'
import { errorSentence } from '../../ui/toast.ts'
import css from './link-page.module.css'

/** Public data about a link: the company, and whether the link is open. */
interface Linked {
  readonly company: string
  /** URL of the company's logo. */
  readonly logo: string | null
  /** Reason why the link is closed; empty if it is open. */
  readonly sentence: string
}

interface Props<T extends Linked> {
  /** URL of the link in the API. Opening the link is recorded at `{at}/opened`. */
  readonly at: string
  /** Page title while the link is loading. */
  readonly title: string
  /** Returns the title of the content; `undefined` if the link is closed. */
  readonly titleOf: (data: T) => string | undefined
  readonly closedTitle: string
  readonly narrow?: boolean
  readonly children: (data: T) => ReactNode
}

const isOffline = (error: unknown): boolean => error instanceof ApiError && error.status === 0

/** Public page for a link in an e-mail. Anybody who has the link can open the page without signing in. */
export function PublicLinkPage<T extends Linked>({ at, title, titleOf, closedTitle, narrow, children }: Props<T>) {
  const { data, error } = useQuery({
    queryKey: [at],
    queryFn: ({ signal }) => callApi<T>('GET', at, undefined, { signal }),
    retry: false,
  })
  const opened = data && titleOf(data)
  const isOpen = opened !== undefined
  useEffect(() => {
    // If this request fails, the visitor can still read the page, so the error is ignored.
    if (isOpen) callApi('POST', `${at}/opened`, {}, { byItself: true }).catch(() => undefined)
  }, [at, isOpen])
  if (!data)
    return (
      <div className={css.open} data-narrow={narrow || undefined}>
        <PageTitle>{error && !isOffline(error) ? 'This link does not work' : title}</PageTitle>
        {error ? (
          <Alert color="red" role="alert">
            {errorSentence(error)}
          </Alert>
        ) : (
          <LoadingRows rows={8} />
        )}
      </div>
    )
  return (
    <div className={css.open} data-narrow={narrow || undefined}>
      <header className={css.head}>
        {data.logo && <img src={data.logo} alt="" className={css.logo} />}
        <strong>{data.company}</strong>
      </header>
      <PageTitle>{opened ?? closedTitle}</PageTitle>
      {data.sentence && (
        <Alert color="yellow" role="status">
          {data.sentence}
        </Alert>
      )}
      {children(data)}
    </div>
  )
}
