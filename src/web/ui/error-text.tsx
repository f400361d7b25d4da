import { Text, type TextProps } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'

interface Props extends TextProps {
  readonly id?: string
  readonly children: ReactNode
}

/** What is wrong with what stands beside it, said as soon as it appears. */
export const ErrorText = (props: Props) => <Text role="alert" size="sm" c="var(--mantine-color-error)" {...props} />

/** Clear of the buttons that stay at the end of a dialog. */
const MARGIN = '6rem'

/** Why all of a form was refused: it comes into view, wherever one stands in the form. */
export function FailureText({ children, ...props }: Props) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (children) ref.current?.scrollIntoView({ block: 'nearest' })
  }, [children])
  return (
    <div ref={ref} style={{ scrollMarginBlockEnd: MARGIN }}>
      <ErrorText {...props}>{children}</ErrorText>
    </div>
  )
}
