import { createRouter, createWebHistory } from 'vue-router'
import BoardView from './views/BoardView.vue'

export const router = createRouter({
  history: createWebHistory(),
  routes: [
    { path: '/', component: BoardView, meta: { title: 'Board' } },
    {
      path: '/tasks/:id(\\d+)',
      component: () => import('./views/TaskView.vue'),
      props: (route) => ({ id: Number(route.params.id) }),
      meta: { title: 'Task' },
    },
    { path: '/people', component: () => import('./views/PeopleView.vue'), meta: { title: 'People' } },
    { path: '/labels', component: () => import('./views/LabelsView.vue'), meta: { title: 'Labels' } },
    { path: '/settings', component: () => import('./views/SettingsView.vue'), meta: { title: 'Settings' } },
    { path: '/:rest(.*)*', redirect: '/' },
  ],
})

router.afterEach((to) => {
  document.title = `${to.meta.title} – Workshop`
})
