"""Django's admin over the benchmark's orders, set up lean: no date hierarchy, no full count.

    BENCH_DATABASE=sqlite:<file>|postgres:<name>|mysql:<name>  BENCH_FOLDER=<scratch folder>
    python3 django_admin.py session     makes sign-in tables and prints a session's id
    gunicorn django_admin:application   serves it
"""

import os
import sys

import django
from django.apps import AppConfig
from django.conf import settings

KIND, _, NAME = os.environ["BENCH_DATABASE"].partition(":")
FOLDER = os.environ["BENCH_FOLDER"]

ENGINES = {"sqlite": "sqlite3", "postgres": "postgresql", "mysql": "mysql"}
SERVER = {"USER": "root", "HOST": "127.0.0.1", "CONN_MAX_AGE": None}
DATA = {
    "ENGINE": f"django.db.backends.{ENGINES[KIND]}",
    "NAME": NAME,
    **({} if KIND == "sqlite" else SERVER),
}


class Router:
    """The orders are in the data, everything of Django's own in a file beside them."""

    def db_for_read(self, model, **hints):
        return "data" if model._meta.app_label == "shop" else "default"

    db_for_write = db_for_read

    def allow_relation(self, one, other, **hints):
        return True

    def allow_migrate(self, db, app_label, **hints):
        return db == "default" and app_label != "shop"


class Shop(AppConfig):
    name = __name__
    label = "shop"
    path = os.path.dirname(os.path.abspath(__file__))


settings.configure(
    DEBUG=False,
    SECRET_KEY="bench",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    DATABASES={
        "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": f"{FOLDER}/django.sqlite3"},
        "data": DATA,
    },
    DATABASE_ROUTERS=[f"{__name__}.Router"],
    INSTALLED_APPS=[
        "django.contrib.admin",
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "django.contrib.messages",
        f"{__name__}.Shop",
    ],
    MIDDLEWARE=[
        "django.middleware.security.SecurityMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.common.CommonMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
    ],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "APP_DIRS": True,
            "OPTIONS": {
                "context_processors": [
                    "django.template.context_processors.request",
                    "django.contrib.auth.context_processors.auth",
                    "django.contrib.messages.context_processors.messages",
                ]
            },
        }
    ],
    USE_TZ=False,
    STATIC_URL="/static/",
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
)
django.setup()

from django.contrib import admin  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import models  # noqa: E402
from django.urls import path  # noqa: E402


class Customer(models.Model):
    name = models.TextField()
    email = models.TextField()

    class Meta:
        app_label = "shop"
        managed = False
        db_table = "customers"

    def __str__(self):
        return self.name


class Order(models.Model):
    customer = models.ForeignKey(Customer, models.DO_NOTHING)
    status = models.CharField(max_length=20)
    total = models.DecimalField(max_digits=10, decimal_places=2)
    placed_at = models.DateTimeField()
    note = models.TextField()
    position = models.IntegerField()

    class Meta:
        app_label = "shop"
        managed = False
        db_table = "orders"


@admin.register(Order)
class OrderAdmin(admin.ModelAdmin):
    list_display = ("id", "customer", "status", "total", "placed_at", "note", "position")
    list_select_related = ("customer",)
    list_filter = ("status",)
    search_fields = ("note",)
    list_per_page = 50
    ordering = ("-placed_at", "-id")
    show_full_result_count = False


urlpatterns = [path("admin/", admin.site.urls)]
application = get_wsgi_application()


def make_session():
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.auth.models import User
    from django.contrib.sessions.backends.db import SessionStore
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    user = User.objects.filter(username="bench").first() or User.objects.create_superuser("bench")
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return session.session_key


if __name__ == "__main__" and sys.argv[1:] == ["session"]:
    print(make_session())
