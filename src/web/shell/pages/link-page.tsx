import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { call } from '../../api/client.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { LoadingRows } from '../../ui/states.tsx'
import { sentence } from '../../ui/toast.ts'
import css from './link-page.module.css'

/** What anybody is told who follows a link of a company's. */
interface Linked {
  readonly company: string
  /** The address of the company's logo. */
  readonly logo: string | null
  /** Why it is closed; empty while it opens. */
  readonly sentence: string
}

interface Props<T extends Linked> {
  /** The address of the API that answers for the link. That it was opened is noted at `{at}/opened`. */
  readonly at: string
  /** Until it is known what it opens. */
  readonly title: string
  /** What it opens; of what is closed, `undefined`. */
  readonly titleOf: (data: T) => string | undefined
  readonly closedTitle: string
  readonly narrow?: boolean
  readonly children: (data: T) => ReactNode
}

/** What the link of a letter opens, for whoever holds it: nobody signs in for it. */
export function LinkPage<T extends Linked>({ at, title, titleOf, closedTitle, narrow, children }: Props<T>) {
  const { data, error } = useQuery({
    queryKey: [at],
    queryFn: ({ signal }) => call<T>('GET', at, undefined, { signal }),
    retry: false,
  })
  const opened = data && titleOf(data)
  const isOpen = opened !== undefined
  useEffect(() => {
    // Whoever is to read it is not kept from it where this fails.
    if (isOpen) call('POST', `${at}/opened`, {}, { byItself: true }).catch(() => undefined)
  }, [at, isOpen])
  if (!data)
    return (
      <div className={css.open} data-narrow={narrow || undefined}>
        <PageTitle>{error ? 'This link does not work' : title}</PageTitle>
        {error ? (
          <Alert color="red" role="alert">
            {sentence(error)}
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
