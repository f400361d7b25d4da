import { Title } from '@mantine/core'
import { type ReactNode, use } from 'react'
import { NamedIcon } from './icons.ts'
import { PageSignContext } from './page-sign.ts'
import css from './page-title.module.css'

/** The one heading of a page, with the sign of its kind; the shell puts the focus on it after a change of page. */
export function PageTitle({ children, ...rest }: { children: ReactNode; id?: string }) {
  const sign = use(PageSignContext)
  return (
    <Title order={1} tabIndex={-1} data-page-title className={css.title ?? ''} {...rest}>
      {sign && (
        <span className={css.sign} aria-hidden>
          <NamedIcon name={sign} size={24} stroke={1.75} />
        </span>
      )}
      <span className={css.words}>{children}</span>
    </Title>
  )
}
