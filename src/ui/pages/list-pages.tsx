/** The page of most visits, a list: it comes with the first script. */

import { defineClient } from '../define-client.ts'
import { ListPage } from '../list/list-page.tsx'

export const listPages = defineClient({
  pages: {
    list: ({ components: { list } }: { components: { list: string } }) => (
      <ListPage key={list} component={list} />
    ),
  },
})
