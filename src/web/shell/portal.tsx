import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { RouterProvider } from 'react-router/dom'
import { queries } from '../api/query.ts'
import { theme, variables } from '../theme/theme.ts'
import type { Page } from './pages/page.ts'
import { FindsContext, type FoundKind } from './palette/finds.ts'
import { makeRouter } from './routes.tsx'

const nonce = () => document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''

// Scroll locking writes a style element of its own, and looks for the nonce here.
Object.assign(globalThis, { __webpack_nonce__: nonce() })

/** The whole portal over its route table, and what the palette finds. */
export function Portal({ pages, finds }: { pages: readonly Page[]; finds: readonly FoundKind[] }) {
  const [router] = useState(() => makeRouter(pages))
  return (
    <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto" getStyleNonce={nonce}>
      <QueryClientProvider client={queries}>
        <FindsContext value={finds}>
          <RouterProvider router={router} />
        </FindsContext>
      </QueryClientProvider>
    </MantineProvider>
  )
}
